import { expect, it } from "vitest";
import { buildApplicationVersion } from "@/lib/apps/applications/rules";
import { directoryApplication } from "@/lib/apps/directory/answers/schema";
import { cleanText } from "@/lib/apps/directory/client/call";
import { findPlaceholderProblems } from "@/lib/records/messages/placeholders";
import { readName } from "@/lib/platform/auth/people/person";
import { buildSafePath } from "@/lib/platform/auth/safe-path";
import { findOwnPath } from "@/lib/platform/http/api-path";
import { buildCsvLine } from "@/lib/platform/http/csv";
import { pickClientAddress } from "@/lib/platform/http/read/client-address";
import { decodeUserName, readDisplayName } from "@/lib/platform/http/read/read-verified-name";
import { buildReviewMessage } from "@/lib/platform/mail/rules";
import { readCarJson } from "@/lib/policy/head-unit/car-json";
import { aDirectoryApplication } from "@/test/support/directory-records";
import { expectLinear } from "@/test/support/long-texts";

const defaults = {
  isBlacklisted: false,
  isAutoApprovedEnabled: false,
  autoApproveAllApps: false,
  encryptionRequired: false,
};
const noTexts = { label: null, line1: null, line2: null, tts: null, textBody: null };

/** Calls of others may end in errors that say what is wrong. */
const trying = (work: (text: string) => unknown) => (text: string) => {
  try {
    return work(text);
  } catch {
    return null;
  }
};

/* What reads the texts of others outside of the routes, whose bodies, queries and headers test/api/hostile.test.ts tries. */
it.each<[string, (text: string) => unknown]>([
  ["a path's end", (text) => findOwnPath(`/a${text}`)],
  ["a path's begin", (text) => findOwnPath(`/${text}a`)],
  ["an address to return to", (text) => buildSafePath(`/${text}`)],
  ["X-Forwarded-For", (text) => pickClientAddress(text, "192.0.2.1", 1)],
  ["a display name", (text) => [decodeUserName(text), readDisplayName(text)]],
  ["a claim", (text) => readName({ name: text }, text)],
  ["a CSV cell", (text) => buildCsvLine([text])],
  ["an app's name in mail", (text) => buildReviewMessage([{ id: 1, name: text }], 1, "https://a.example")],
  ["an error of the app directory", (text) => cleanText(text, ["a secret", "====", "    "])],
  ["a message", (text) => findPlaceholderProblems({ ...noTexts, tts: text }, { ...noTexts, tts: `%a%${text}` })],
  ["a table in a file", (text) => readCarJson(`{"a": ${text}}`)],
  ["a text of a table", (text) => readCarJson(JSON.stringify({ [text]: text }))],
])("%s: 64 kB of one character take no more time than an ordinary text", (_, work) => expectLinear(trying(work)));
it.each(Object.keys(directoryApplication.shape).filter((name) => !["uuid", "short_uuid"].includes(name)))(
  "D6: so does %s of an app from the directory, and none of it is stored longer than an entry takes",
  (name) =>
    expectLinear((text) => {
      const { data: record } = directoryApplication.safeParse(aDirectoryApplication({ [name]: text }));
      if (record === undefined) return;
      const stored = buildApplicationVersion(record, { defaults, serviceTypes: [], now: new Date(0) });
      const texts = Object.values(stored).filter((value) => typeof value === "string");
      expect(texts.filter(({ length }) => length > 65_535)).toEqual([]);
    }),
);
