import Negotiator from "negotiator";

const known = new Map<string, boolean>();

/** Whether a client that sends this `Accept-Encoding` accepts gzip. Remembers the few header values that vehicles send. */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined || header === "") return false;
  const remembered = known.get(header);
  if (remembered !== undefined) return remembered;
  const accepts =
    new Negotiator({ headers: { "accept-encoding": header } }).encodings(["gzip", "identity"])[0] === "gzip";
  if (known.size < 100) known.set(header, accepts);
  return accepts;
}
