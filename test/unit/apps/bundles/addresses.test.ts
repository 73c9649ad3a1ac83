import { describe, expect, it } from "vitest";
import { isPublicAddress } from "@/lib/apps/bundles/network";

describe("public addresses (directory.md section 8)", () => {
  it.each([
    ...["1.1.1.1", "93.184.216.34", "172.15.255.255", "172.32.0.1", "100.63.255.255", "192.167.0.1", "223.255.255.1"],
    ...["2606:4700:4700::1111", "2a00:1450:4001::1", "::ffff:8.8.8.8", "64:ff9b::808:808"],
  ])("%s is public", (address) => expect(isPublicAddress(address)).toBe(true));

  it.each([
    ["unspecified", "0.0.0.0", "0.1.2.3", "::"],
    ["loopback", "127.0.0.1", "127.255.255.254", "::1"],
    ["private", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fdff::1", "fec0::1"],
    ["link-local", "169.254.0.1", "fe80::1", "fe80::1%eth0", "febf::1"],
    ["shared by carriers", "100.64.0.1", "100.127.255.255"],
    ["multicast and broadcast", "224.0.0.1", "239.255.255.255", "255.255.255.255", "ff02::1"],
    ["reserved", "192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "240.0.0.1", "2001:db8::1"],
    ["metadata services", "169.254.169.254", "100.100.100.200", "192.0.0.192", "168.63.129.16", "fd00:ec2::254"],
    ["IPv4 in IPv6", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe", "::127.0.0.1", "::7f00:1"],
    ["NAT64", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b::a00:1", "64:ff9b:1::808:808"],
    ["tunnels", "2002:7f00:1::1", "2002:808:808::1", "2001::1", "2001:0:4136:e378::1"],
    ["unassigned IPv6", "4000::1", "100::1", "5f00::1", "e000::1"],
    ["nothing", "", "localhost", "1.2.3", "1.2.3.4.5", "127.1", "0x7f000001", "2130706433", "[::1]", "1.1.1.1 "],
  ])("%s: not public", (_, ...addresses) => {
    for (const address of addresses) expect([address, isPublicAddress(address)]).toEqual([address, false]);
  });
});
