import { IncomingMessage, type ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { believeClientHeaders } from "@/lib/platform/http/read/client-address";
import { longestDisplayName } from "@/lib/platform/http/headers/display-name-header";
import { decodeUserName, readVerifiedName, refuseAmbiguousName } from "@/lib/platform/http/read/read-verified-name";
import { prepareForNext } from "@/server/prepare-for-next";
import { forgetSettings, useSettings } from "@/test/support/settings";

forgetSettings();
const behindProxy = { AUTH_USER_HEADER: "Remote-User", TRUST_PROXY_ADDRESSES: "192.0.2.1" };
const inUtf8 = (text: string) => Buffer.from(text).toString("latin1");

describe("1.2 Who did it: the name that a proxy gives", () => {
  it.each(["kim", "kim@example.com", "Doe, John", "Jörg 字", "👩 Kim", "100%25"])("is read from UTF-8: %s", (name) => {
    expect(decodeUserName(inUtf8(name))).toBe(name);
  });

  it("is read from Latin-1 where it is no UTF-8", () => expect(decodeUserName("J\xf6rg")).toBe("Jörg"));

  it("loses the spaces around it", () => expect(decodeUserName(" kim\t")).toBe("kim"));

  it.each([
    ["字".repeat(90), "字".repeat(80)],
    [`${"x".repeat(79)}👩`, "x".repeat(79)],
    [`${"x".repeat(79)} y`, "x".repeat(79)],
  ])("is cut where it is too long: %s", (name, cut) => {
    expect(longestDisplayName).toBe(80);
    expect(decodeUserName(inUtf8(name))).toBe(cut);
  });

  it.each([null, "", "  ", "a\tb", "a\x85b", inUtf8("a\u202eb"), inUtf8("a\u2028b"), "\x00"])("is none: %j", (header) =>
    expect(decodeUserName(header)).toBeNull(),
  );

  it("finding B9: is not believed where nothing tells a proxy from others", () => {
    useSettings(behindProxy);
    expect(readVerifiedName(new Headers({ "remote-user": "kim" }))).toBeNull();
  });

  it("finding B9: is refused with a comma, and when it came twice", () => {
    believeClientHeaders();
    useSettings(behindProxy);
    for (const name of ["eve, kim", "Doe, John", ","]) {
      const headers = new Headers({ "remote-user": name });
      expect(readVerifiedName(headers)).toBeNull();
      expect(() => refuseAmbiguousName(headers)).toThrow("remote-user must name one user");
    }
    const one = new Headers({ "remote-user": "kim" });
    expect(() => refuseAmbiguousName(one)).not.toThrow();
  });

  it("W6: counts as absent, and is refused, in a form that could stand for another name", () => {
    believeClientHeaders();
    useSettings(behindProxy);
    for (const name of ["Jo\u0308rg", "k\u200dim", "kim\ufe0f"]) {
      const headers = new Headers({ "remote-user": inUtf8(name) });
      expect(readVerifiedName(headers)).toBeNull();
      expect(() => refuseAmbiguousName(headers)).toThrow("remote-user must hold a name in the Unicode form NFKC");
    }
  });

  it("is believed in the header of the setting and in no other", () => {
    const headers = new Headers({ "remote-user": "kim", "x-forwarded-user": "eve" });
    useSettings(behindProxy);
    expect(readVerifiedName(headers)).toBe("kim");
    useSettings({ TRUST_PROXY_ADDRESSES: "192.0.2.1" });
    expect(readVerifiedName(headers)).toBeNull();
  });

  it.each([
    ["192.0.2.1", ["Remote-User", "kim"], "kim"],
    ["192.0.2.1", ["Remote-User", "eve", "Remote-User", "kim"], "eve, kim"],
    ["192.0.2.1", ["Remote-User", "eve", "remote-user", "kim"], "eve, kim"],
    ["192.0.2.1", ["X-Other", "eve"], undefined],
    ["192.0.2.2", ["Remote-User", "eve"], undefined],
  ])("finding B9: from %s, %j counts as %j", (address, raw, name) => {
    const request = new IncomingMessage(Object.defineProperty(new Socket(), "remoteAddress", { value: address }));
    // As the parser fills a request.
    (request as unknown as { _addHeaderLines(lines: string[], count: number): void })._addHeaderLines(raw, raw.length);
    const response = { setHeader: () => response } as unknown as ServerResponse;
    const settings = {
      trustProxyAddresses: ["192.0.2.1"],
      authUserHeader: "remote-user",
      authRolesHeader: null,
      tls: null,
    };
    prepareForNext(settings)(request, response);
    expect(request.headers["remote-user"]).toBe(name);
  });
});
