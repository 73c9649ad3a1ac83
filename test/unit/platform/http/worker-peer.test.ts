import { expect, it } from "vitest";
import { formatVehicleWorkerPeer, parseVehicleWorkerPeer } from "@/lib/platform/http/headers/worker-peer";

it.each([
  { address: "192.0.2.1", isSecure: false, isKnown: true },
  { address: "::ffff:192.0.2.1", isSecure: true, isKnown: false },
  { address: "2001:db8::1", isSecure: true, isKnown: true },
])("N3: %j is read as it was written", (peer) => {
  expect(parseVehicleWorkerPeer(formatVehicleWorkerPeer(peer))).toEqual(peer);
});

it.each([
  "",
  "192.0.2.1",
  "192.0.2.1 HTTPS",
  "https 192.0.2.1",
  "192.0.2.1 http 1",
  "192.0.2.1 http known 1",
  "192.0.2.1  http",
  "unknown",
  "192.0.2.1 ftp",
  "somewhere http",
])("N3: %j is no peer", (value) => {
  expect(parseVehicleWorkerPeer(value)).toBeNull();
});
