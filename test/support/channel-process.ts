/** A child of `main` that listens for commits once it is told of a refusal, and then exits with status 5. */
import { followMain, joinMain, onMain, tellMain } from "@/lib/platform/process/channel";

joinMain();
onMain("writes", () => {
  followMain(() => Promise.resolve(5));
  onMain("collect", ({ id }) => tellMain({ kind: "serving", revision: -id }));
  onMain("committed", ({ revision }) => tellMain({ kind: "serving", revision }));
});
