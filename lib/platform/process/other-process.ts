/** Whether another process has this id. Not this one: in a container our id may be that of one that ended. */
export function isOtherProcess(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process, which we may not signal, runs.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
