/** A process of `main` that listens for commits when it is told of a refusal, and ends with status 5. */
import { followMain, joinMain, onMain, tellMain } from "@/lib/platform/process/channel";

joinMain();
onMain("writes", () => {
  followMain(() => Promise.resolve(5));
  onMain("collect", ({ id }) => tellMain({ kind: "serving", revision: -id }));
  onMain("committed", ({ revision }) => tellMain({ kind: "serving", revision }));
});
