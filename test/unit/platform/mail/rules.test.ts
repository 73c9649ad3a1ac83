import { describe, expect, it } from "vitest";
import { buildReviewMessage } from "@/lib/platform/mail/rules";

const baseUrl = "https://policy.example.com/base";
const build = (name: string) => buildReviewMessage([{ id: 7, name }], 1, baseUrl);

describe("the message about pending apps (directory.md section 10)", () => {
  it("names one app in its subject, and links to it in both parts", () => {
    const { subject, text, html } = build("ClimaPal");
    expect(subject).toBe("App waiting for review: ClimaPal");
    expect(text).toBe(`An app is waiting for review:\n\n- ClimaPal\n  ${baseUrl}/applications/7\n`);
    expect(html).toContain(`<li><a href="${baseUrl}/applications/7">ClimaPal</a></li>`);
  });

  it("lists several, and says how many more there are", () => {
    const apps = [
      { id: 1, name: "One" },
      { id: 2, name: "Two" },
    ];
    const all = buildReviewMessage(apps, 2, baseUrl);
    expect(all.subject).toBe("2 apps waiting for review");
    expect(all.text).toContain(`- One\n  ${baseUrl}/applications/1\n- Two\n  ${baseUrl}/applications/2\n`);
    expect(all.text + all.html).not.toContain("more");
    const some = buildReviewMessage(apps, 500, baseUrl);
    expect(some.subject).toBe("500 apps waiting for review");
    expect(some.text).toContain(`… and 498 more: ${baseUrl}/applications\n`);
    expect(some.html).toContain(`<a href="${baseUrl}/applications">498 more</a>`);
  });

  it("escapes names in HTML", () => {
    const { html, text } = build(`<script>alert("1")</script> & 'co'`);
    expect(html).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;co&#39;</a>");
    expect(html).not.toContain("<script");
    expect(text).toContain("<script>");
  });

  it.each([
    ["a line", "Good\r\nBcc: everybody@example.com", "Good Bcc: everybody@example.com"],
    ["controls", "a\u0000b\u001b[31mc\u007fd\u0085e", "a b [31mc d e"],
    ["line and paragraph separators", "a\u2028b\u2029c", "a b c"],
    ["turned writing", "\u202Egpj.exe\u2066", "gpj.exe"],
    ["half characters", "a\ud800b", "a b"],
    ["blanks", "  a \t  b  ", "a b"],
    ["nothing", "\u200b \n", "(without a name)"],
    ["nothing of 100 characters", "😀".repeat(100), "😀".repeat(100)],
    ["long names", "😀".repeat(101), `${"😀".repeat(100)}…`],
  ])("keeps %s out of subject and parts", (_, name, clean) => {
    const { subject, text, html } = build(name);
    expect(subject).toBe(`App waiting for review: ${clean}`);
    expect(text).toContain(`- ${clean}\n`);
    expect(html).toContain(`>${clean}</a>`);
  });
});
