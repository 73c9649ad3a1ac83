import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import { Socket } from "node:net";
import { beforeEach, describe, expect, it } from "vitest";
import { formatVehicleWorkerPeer } from "@/lib/platform/http/headers/worker-peer";
import { createProxyCount, pickClientAddress } from "@/lib/platform/http/read/client-address";
import { createClientHeaders } from "@/server/prepare-for-next";

it.each([
  [0, "198.51.100.7", "127.0.0.1"],
  [1, "198.51.100.7", "198.51.100.7"],
  [1, "made-up, 203.0.113.9, 198.51.100.7", "198.51.100.7"],
  [2, "203.0.113.9, 198.51.100.7", "203.0.113.9"],
  [3, "203.0.113.9, 198.51.100.7", "203.0.113.9"],
  [1, "198.51.100.7:41000", "198.51.100.7"],
  [1, "[2001:db8::1]:41000", "2001:db8::1"],
  [1, "2001:db8::1", "2001:db8::1"],
  [1, "unknown", "127.0.0.1"],
  [1, "", "127.0.0.1"],
  [1, null, "127.0.0.1"],
])("trusted proxies: the client's address: behind %i proxies, %j is %s", (proxies, forwarded, address) => {
  expect(pickClientAddress(forwarded, "127.0.0.1", proxies)).toBe(address);
});

const behind = (...trustProxyAddresses: string[]) => ({ trustProxyAddresses });

const networks = ["10.0.0.0/8", "192.0.2.1", "fd00::/8"];
it.each([
  ["10.1.2.3", "198.51.100.7", 1, "198.51.100.7"],
  ["::ffff:10.1.2.3", "198.51.100.7", 1, "198.51.100.7"],
  ["fd00::5", "made-up, 198.51.100.7, 10.9.9.9:443", 2, "198.51.100.7"],
  ["192.0.2.1", "203.0.113.9, 198.51.100.7", 1, "198.51.100.7"],
  ["192.0.2.1", "10.0.0.5, 10.0.0.6", 3, "10.0.0.5"],
  ["192.0.2.1", "", 1, "192.0.2.1"],
  ["192.0.2.2", "198.51.100.7", 0, "192.0.2.2"],
  ["11.0.0.1", "10.0.0.5", 0, "11.0.0.1"],
  ["unknown", "10.0.0.5", 0, "unknown"],
])(
  "finding B9: proxies are known by their addresses: from %s, %j: %i of them, the client is %s",
  (socketAddress, forwarded, count, client) => {
    const found = createProxyCount(behind(...networks))(forwarded, socketAddress);
    expect(found).toBe(count);
    expect(pickClientAddress(forwarded, socketAddress, found)).toBe(client);
  },
);

it("without addresses of proxies nobody is trusted", () =>
  expect(createProxyCount(behind())("203.0.113.9, 198.51.100.7", "10.1.2.3")).toBe(0));

describe("what the server entry tells Next", () => {
  let request: IncomingMessage;
  const socket = (kind: Socket) => Object.defineProperty(kind, "remoteAddress", { value: "192.0.2.1" });
  const forged = () => ({
    host: "a.example",
    "x-client-address": "203.0.113.1",
    "x-forwarded-for": "203.0.113.2",
    "x-forwarded-proto": "https",
    "x-forwarded-host": "b.example",
    "x-forwarded-port": "1",
    "x-prerender-revalidate": "the key of a build",
  });
  const untrusted = { host: "a.example", "x-client-address": "192.0.2.1", "x-forwarded-proto": "http" };
  beforeEach(() => {
    request = { headers: forged(), socket: socket(new Socket()) } as unknown as IncomingMessage;
  });

  it("drops what a client says of itself", () => {
    createClientHeaders(behind())(request);
    expect(request.headers).toEqual(untrusted);
  });

  it("keeps what a trusted proxy says", () => {
    createClientHeaders(behind("192.0.2.0/24"))(request);
    expect(request.headers).toEqual({
      host: "a.example",
      "x-client-address": "203.0.113.2",
      "x-forwarded-proto": "https",
      "x-forwarded-host": "b.example",
    });
  });

  it("finding B9: keeps what an address of the list says, and of no other", () => {
    expect(createClientHeaders(behind("192.0.2.0/24"))(request).isFromProxy).toBe(true);
    expect(request.headers).toMatchObject({ "x-client-address": "203.0.113.2", "x-forwarded-host": "b.example" });
    request.headers = forged();
    expect(createClientHeaders(behind("198.51.100.0/24"))(request).isFromProxy).toBe(false);
    expect(request.headers).toEqual(untrusted);
  });

  it("knows its own TLS, and takes no other scheme from a proxy", () => {
    const secure = { headers: forged(), socket: socket(new TLSSocket(new Socket())) } as unknown as IncomingMessage;
    secure.headers["x-forwarded-proto"] = "javascript";
    createClientHeaders(behind("192.0.2.0/24"))(secure);
    expect(secure.headers["x-forwarded-proto"]).toBe("https");
  });

  describe("N3: behind vehicle workers", () => {
    const peer = "198.51.100.9";
    const fromVehicleWorker = (value?: string) => ({
      headers: { ...forged(), ...(value === undefined ? {} : { "x-vehicle-worker-peer": value }) } as Record<
        string,
        string
      >,
      socket: new Socket(),
    });

    it("the peer is the one that the vehicle worker tells, with its TLS, and the header is gone", () => {
      const one = fromVehicleWorker(formatVehicleWorkerPeer({ address: peer, isSecure: true, isKnown: true }));
      expect(createClientHeaders(behind(), true)(one)).toEqual({ isFromProxy: false, isKnown: true });
      expect(one.headers).toEqual({ ...untrusted, "x-client-address": peer, "x-forwarded-proto": "https" });
    });

    it("trusted proxies are known by the address that the vehicle worker tells", () => {
      const [trusted, other] = [fromVehicleWorker(`${peer} http`), fromVehicleWorker("192.0.2.7 http")];
      const write = createClientHeaders(behind(`${peer}/32`), true);
      expect([write(trusted), write(other)].map(({ isFromProxy }) => isFromProxy)).toEqual([true, false]);
      expect(trusted.headers).toMatchObject({ "x-client-address": "203.0.113.2", "x-forwarded-host": "b.example" });
      expect(other.headers["x-client-address"]).toBe("192.0.2.7");
    });

    const repeated = [`${peer} http, ${peer} https`, `${peer}  http`, `${peer} http 1`, `${peer} http known 1`];
    it.each([undefined, "", peer, ...repeated, "localhost https", `${peer} ftp`, `${peer} HTTPS`, `https ${peer}`])(
      "%j is believed in nothing",
      (value) => {
        const one = fromVehicleWorker(value);
        expect(createClientHeaders(behind("0.0.0.0/0"), true)(one)).toEqual({ isFromProxy: false, isKnown: false });
        expect(one.headers).toMatchObject({ "x-client-address": "unknown", "x-forwarded-proto": "http" });
        expect(one.headers).not.toHaveProperty("x-vehicle-worker-peer");
      },
    );

    it("only there: on a port of its own the header is what a client made up", () => {
      request.headers["x-vehicle-worker-peer"] = `${peer} https`;
      createClientHeaders(behind())(request);
      expect(request.headers).toEqual(untrusted);
    });
  });
});
