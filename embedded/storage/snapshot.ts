import { open } from "node:fs/promises";
import { DamagedFile, firstFrame, frameHeader, frameHeaderBytes, readFrames, type ReadFrames } from "./frames";
import { writeAll } from "./space";

const endOfSnapshot = Buffer.from("end of snapshot");

const snapshotFrameBytes = 1024 * 1024;

/** Throws DamagedFile if it is damaged or incomplete. */
export function readSnapshot(file: string, apply: (payload: Buffer) => void): ReadFrames {
  const seen = { end: false };
  const read = readFrames(file, false, (payload) => {
    if (payload.equals(endOfSnapshot)) seen.end = true;
    else apply(payload);
  });
  if (!seen.end) throw new DamagedFile(file, read.end, "its end is missing");
  return read;
}

export async function writeSnapshot(file: string, entries: Iterable<Buffer>): Promise<number> {
  const handle = await open(file, "w", 0o600);
  try {
    const first = firstFrame();
    await writeAll(handle, first, 0);
    let position = first.length;
    let place = 1;
    let waiting: Buffer[] = [];
    let waitingBytes = 0;
    const flush = async () => {
      const payload = Buffer.concat(waiting);
      await writeAll(handle, Buffer.concat([frameHeader(payload, 0, place++), payload]), position);
      position += frameHeaderBytes + payload.length;
      waiting = [];
      waitingBytes = 0;
    };
    for (const entry of entries) {
      waiting.push(entry);
      waitingBytes += entry.length;
      if (waitingBytes > snapshotFrameBytes) await flush();
    }
    if (waitingBytes > 0) await flush();
    waiting.push(endOfSnapshot);
    await flush();
    await handle.sync();
    return position;
  } finally {
    await handle.close();
  }
}
