import "server-only";
import path from "node:path";
import { findFailureCode } from "@/lib/platform/errors";
import { withDeadline } from "@/lib/platform/async";
import { SpecificationRefused } from "@/lib/records/rpc-specification/errors";
import { fetchOutgoing, readLimited, BodyTooLong } from "@/lib/platform/http/outgoing-fetch";
import { readSecretFile } from "@/lib/platform/settings";

const maxBytes = 16 * 1024 * 1024;
const tooLong = "The RPC specification is longer than 16 MiB";

export interface DownloadOptions {
  /** Total timeout in milliseconds; default: 30 s (`directory.md` 3.7). */
  readonly deadlineMs?: number;
  readonly stop?: AbortSignal;
}

/** `source` is an http(s) URL or an absolute path; null means it is not read. Throws SpecificationRefused. */
export async function loadSpecification(source: string | null, options: DownloadOptions = {}): Promise<string> {
  if (source === null) throw new SpecificationRefused("RPC_SPEC_URL=off: the RPC specification is not read");
  return path.isAbsolute(source) ? readFile(source) : download(source, options);
}

function readFile(file: string): string {
  const text = readSecretFile(file);
  if (text === null) throw new SpecificationRefused("RPC_SPEC_URL names a file that cannot be read");
  if (text.length > maxBytes) throw new SpecificationRefused(tooLong);
  return text;
}

async function download(url: string, { deadlineMs = 30_000, stop }: DownloadOptions): Promise<string> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new SpecificationRefused("RPC_SPEC_URL is not an http or https address");
  }
  try {
    return await withDeadline(deadlineMs, stop === undefined ? [] : [stop], async (signal) => {
      const response = await fetchOutgoing(url, { signal, cache: "no-store" });
      if (response.ok) return readLimited(response, maxBytes);
      await response.body?.cancel();
      throw new SpecificationRefused(`The RPC specification could not be downloaded (status ${response.status})`);
    });
  } catch (error) {
    throw error instanceof SpecificationRefused ? error : new SpecificationRefused(describe(error, deadlineMs));
  }
}

function describe(error: unknown, deadlineMs: number): string {
  if (error instanceof BodyTooLong) return tooLong;
  if (error instanceof Error && error.name === "AbortError") {
    return `The RPC specification was not downloaded within ${deadlineMs / 1000} s`;
  }
  return `The RPC specification could not be downloaded (${findFailureCode(error)})`;
}
