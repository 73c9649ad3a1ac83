import { IncomingMessage, type ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { longestDisplayName } from "@/lib/http/display-name-header";
import { decodeUserName, readVerifiedName } from "@/lib/http/read-verified-name";
import { prepareForNext } from "@/lib/server/prepare-for-next";
import { forgetSettings, useSettings } from "@/test/support/settings";

forgetSettings();
const behindProxy = { AUTH_USER_HEADER: "Remote-User", TRUST_PROXY: "1" };
/** A text as it arrives when a proxy sends it in UTF-8. */
const inUtf8 = (text: string) => Buffer.from(text).toString("latin1");

describe("1.2 Who did it: the name that a proxy gives", () => {
  it.each(["kim", "kim@example.com", "Doe, John", "Jörg 字", "👩‍🔧 Kim", "100%25"])("is read from UTF-8: %s", (name) => {
    expect(decodeUserName(inUtf8(name))).toBe(name);
  });

  it("is read from Latin-1 where it is no UTF-8", () => {
    expect(decodeUserName("J\xf6rg")).toBe("Jörg");
  });

  it("loses the spaces around it", () => {
    expect(decodeUserName(" kim\t")).toBe("kim");
  });

  it.each([
    ["字".repeat(90), "字".repeat(80)],
    [`${"x".repeat(79)}👩`, "x".repeat(79)],
    [`${"x".repeat(79)} y`, "x".repeat(79)],
  ])("is cut where it is too long: %s", (name, cut) => {
    expect(longestDisplayName).toBe(80);
    expect(decodeUserName(inUtf8(name))).toBe(cut);
  });

  it.each([null, "", "  ", "a\tb", "a\x85b", inUtf8("a\u202eb"), inUtf8("a\u2028b"), "\x00"])(
    "is none: %j",
    (header) => {
      expect(decodeUserName(header)).toBeNull();
    },
  );

  it("is believed in the header of the setting and in no other", () => {
    const headers = new Headers({ "remote-user": "kim", "x-forwarded-user": "eve" });
    useSettings(behindProxy);
    expect(readVerifiedName(headers)).toBe("kim");
    useSettings({ TRUST_PROXY: "1" });
    expect(readVerifiedName(headers)).toBeNull();
  });

  it.each([
    [["Remote-User", "kim"], "kim"],
    [["Remote-User", "eve", "Remote-User", "kim"], undefined],
    [["Remote-User", "eve", "remote-user", "kim"], undefined],
  ])("is dropped when it came twice: %j", (raw, name) => {
    const request = new IncomingMessage(new Socket());
    // As the parser fills a request.
    (request as unknown as { _addHeaderLines(lines: string[], count: number): void })._addHeaderLines(raw, raw.length);
    const response = { setHeader: () => response } as unknown as ServerResponse;
    prepareForNext({ trustProxy: 1, authUserHeader: "remote-user", tls: null })(request, response);
    expect(request.headers["remote-user"]).toBe(name);
  });
});
