import { statfs } from "node:fs/promises";
import type { Figure } from "@/lib/platform/process/process-figures";
import { shareWork, within } from "@/lib/platform/async";

/** A disk that doesn't answer, e.g. a lost network share, must not hold up the other figures; milliseconds. */
const timeoutMs = 1_000;

/** Size and free space of the disk that holds a folder (`processes.md` N6). */
export function diskFigures(folder: string): readonly Figure[] {
  const ask = shareWork(() => readSpace(folder));
  const space = () => within(timeoutMs, ask(), () => null);
  const gauge = (name: string, help: string, of: "free" | "size"): Figure => {
    return { name, help, type: "gauge", read: async () => (await space())?.[of] ?? null };
  };
  return [
    gauge("policy_data_disk_free_bytes", "Space left on the disk that holds DATA_DIR", "free"),
    gauge("policy_data_disk_size_bytes", "Size of the disk that holds DATA_DIR", "size"),
  ];
}

async function readSpace(folder: string) {
  try {
    // What is reserved for root is not free to the server.
    const { bavail, blocks, bsize } = await statfs(folder);
    return { free: bavail * bsize, size: blocks * bsize };
  } catch {
    return null;
  }
}
