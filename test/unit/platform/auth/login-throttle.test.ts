import { expect, it } from "vitest";
import { LoginThrottle } from "@/lib/platform/auth/login-throttle";

let time = 0;
const throttle = (options = {}) => new LoginThrottle({ now: () => time, ...options });
const fail = (one: LoginThrottle, address: string, times: number) => {
  for (let count = 0; count < times; count += 1) one.recordFailure(address);
};

it("2.1: refuses an address after ten failures, and no other", () => {
  const one = throttle();
  fail(one, "192.0.2.1", 9);
  expect(one.isBlocked("192.0.2.1")).toBe(false);
  fail(one, "192.0.2.1", 1);
  expect(one.isBlocked("192.0.2.1")).toBe(true);
  expect(one.isBlocked("192.0.2.2")).toBe(false);
});

it("2.1: looks back 60 s from each attempt", () => {
  const one = throttle();
  time = 0;
  fail(one, "192.0.2.1", 5);
  time = 30_000;
  fail(one, "192.0.2.1", 5);
  time = 59_999;
  expect(one.isBlocked("192.0.2.1")).toBe(true);
  time = 60_000;
  expect(one.isBlocked("192.0.2.1")).toBe(false);
  fail(one, "192.0.2.1", 5);
  expect(one.isBlocked("192.0.2.1")).toBe(true);
  time = 90_000;
  expect(one.isBlocked("192.0.2.1")).toBe(false);
});

it("tells how long a blocked address has to wait", () => {
  const one = throttle();
  time = 0;
  expect(one.secondsUntilFree("192.0.2.1")).toBe(0);
  fail(one, "192.0.2.1", 1);
  time = 20_500;
  fail(one, "192.0.2.1", 9);
  expect(one.secondsUntilFree("192.0.2.1")).toBe(40);
  time = 60_000;
  expect(one.secondsUntilFree("192.0.2.1")).toBe(0);
});

it("forgets the failures of who then knows the password", () => {
  const one = throttle();
  fail(one, "192.0.2.1", 9);
  one.recordSuccess("192.0.2.1");
  fail(one, "192.0.2.1", 9);
  expect(one.isBlocked("192.0.2.1")).toBe(false);
});

it("takes a /64 of IPv6 for one client, and an IPv4 address in IPv6 form for itself", () => {
  const one = throttle();
  for (let host = 1; host <= 10; host += 1) one.recordFailure(`2001:db8:0:7::${host.toString(16)}`);
  expect(one.isBlocked("2001:DB8::7:ffff:0:0:1")).toBe(true);
  expect(one.isBlocked("2001:db8:0:8::1")).toBe(false);
  fail(one, "::ffff:192.0.2.9", 10);
  expect(one.isBlocked("192.0.2.9")).toBe(true);
  expect(one.isBlocked("::ffff:192.0.2.10")).toBe(false);
  fail(one, "fe80::1%eth0", 10);
  expect(one.isBlocked("fe80::2%eth1")).toBe(true);
  expect(one.isBlocked("::1")).toBe(false);
  expect(one.isBlocked("unknown")).toBe(false);
});

it("remembers a bounded number of addresses, the latest failures longest", () => {
  const one = throttle({ maxAddresses: 100 });
  fail(one, "192.0.2.1", 10);
  for (let index = 0; index < 10_000; index += 1) {
    one.recordFailure(`10.0.${index >> 8}.${index & 255}`);
    if (index === 50) one.recordFailure("192.0.2.1");
    if (index === 140) expect(one.isBlocked("192.0.2.1")).toBe(true);
  }
  expect(one.size).toBe(100);
  expect(one.isBlocked("192.0.2.1")).toBe(false);
});

it("finding A7: gives all networks of one /48 of IPv6 fifty failures together", () => {
  const one = throttle();
  for (let network = 0; network < 49; network += 1) one.recordFailure(`2001:db8:7:${network.toString(16)}::1`);
  expect(one.isBlocked("2001:db8:7:ffff::1")).toBe(false);
  one.recordFailure("2001:db8:7:aaaa::1");
  expect(one.isBlocked("2001:db8:7:ffff::1")).toBe(true);
  expect(one.secondsUntilFree("2001:db8:7:ffff::1")).toBe(60);
  expect(one.isBlocked("2001:db8:8:ffff::1")).toBe(false);
});
