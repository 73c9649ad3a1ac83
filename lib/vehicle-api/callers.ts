import { createHmac, randomBytes } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { sessionCookie } from "@/lib/platform/http/headers/caller";
import { createClientFinder, networkOf, type Proxies } from "@/lib/platform/http/read/client-address";

export interface Caller {
  /** Strangers of one network (IPv4 /24, IPv6 /64) with the same unproven credentials, or none, take turns together. */
  readonly queue: string;
  readonly isKnown: boolean;
  /** A mark of the credentials, which means nothing outside of this process; null: none were sent. */
  readonly credentials: string | null;
}

const maxKnown = 10_000;

export class Callers {
  readonly #findClient: ReturnType<typeof createClientFinder>;
  readonly #userHeader: string | null;
  readonly #key = randomBytes(32);
  readonly #known = new Set<string>();

  constructor({ authUserHeader, ...proxies }: Proxies & { readonly authUserHeader: string | null }) {
    this.#findClient = createClientFinder(proxies);
    this.#userHeader = authUserHeader;
  }

  find({ headers, socket }: Pick<IncomingMessage, "headers" | "socket">): Caller {
    const { address, proxies } = this.#findClient(headers["x-forwarded-for"], socket.remoteAddress ?? "unknown");
    const sent = [
      ...["authorization", "basic-auth-password", "public_key"].map((name) => headers[name]),
      ...readSessions(headers),
      // Only a trusted proxy's word counts.
      proxies > 0 && this.#userHeader !== null ? headers[this.#userHeader] : undefined,
    ];
    const credentials = sent.every((value) => value === undefined) ? null : this.#mark(JSON.stringify(sent));
    const network = networkOf(address, 64, 24);
    return {
      queue: `${network} ${credentials ?? ""}`,
      credentials,
      isKnown: credentials !== null && this.#known.has(credentials),
    };
  }

  note({ credentials }: Caller, isKnown: boolean): void {
    if (credentials === null) return;
    this.#known.delete(credentials);
    if (isKnown) this.#known.add(credentials);
    const [oldest] = this.#known;
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
  }

  #mark(text: string): string {
    return createHmac("sha256", this.#key).update(text).digest("base64");
  }
}

function readSessions({ cookie }: IncomingHttpHeaders): string[] {
  const pairs = cookie?.split(";").map((pair) => pair.trim()) ?? [];
  return pairs.filter((pair) => ["", "__Host-"].some((prefix) => pair.startsWith(`${prefix}${sessionCookie}=`)));
}
