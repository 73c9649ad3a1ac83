/** A child of `main` that listens for commits once it is told of a refusal, and then exits with status 5. */
import { followMain, joinMain, onMain, sendToMain } from "@/lib/platform/process/channel";

joinMain();
onMain("writes", () => {
  followMain(() => Promise.resolve(5));
  onMain("collect", ({ id }) => sendToMain({ kind: "serving", revision: -id }));
  onMain("committed", ({ revision }) => sendToMain({ kind: "serving", revision }));
});
