/** A process of `main` that listens for commits when it is told of a refusal, and ends with status 5. */
import { followMain, onMain, tellMain } from "@/lib/process/channel";

onMain("writes", () => {
  followMain(() => Promise.resolve(5));
  onMain("collect", ({ id }) => tellMain({ kind: "serving", revision: -id }));
  onMain("committed", ({ revision }) => tellMain({ kind: "serving", revision }));
});
