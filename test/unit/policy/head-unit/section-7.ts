import { codes, danger, english, external, languages, messages, regular, rowsOf, spoken, tongues } from "./row";
import type { Row } from "./row";

const { missing, nullAt, row } = rowsOf("7 consumer_friendly_messages");

const two = { ...tongues(1), "de-de": spoken };

export const section7: readonly Row[] = [
  missing("version", messages("version")),
  row("version", "100 bytes", messages("version"), "1".repeat(100), "1".repeat(101)),
  row("version", "empty", messages("version"), "1", ""),
  nullAt("version", messages("version")),
  nullAt("", messages()),
  row("messages", "at most 255", messages("messages"), codes(255), codes(256)),
  nullAt("messages", messages("messages")),
  row("messages", "not an object", messages("messages"), {}, { Location: null }, { below: ".Location" }),
  missing("languages per message", messages("messages", "Location", "languages")),
  row(
    "en-us",
    "upper case",
    languages(),
    { "en-us": spoken, "de-de": spoken },
    { "EN-US": spoken },
    { below: ".en-us" },
  ),
  row("languages per message", "500", languages(), tongues(500), tongues(501), regular),
  row("languages per message", "600", languages(), tongues(500), tongues(601)),
  row("languages per message", "a null language", languages("de-de"), spoken, null),
  ...["de-de", "en-us"].map((name) =>
    row("a language with no text at all", name, languages(), tongues(1), { ...tongues(1), [name]: {} }, danger),
  ),
  row(
    "languages of prompts",
    "other messages have more, and the prompt fewer",
    messages("messages"),
    { Location: { languages: two }, Other: { languages: tongues(1) }, Asked: { languages: two } },
    { Location: { languages: tongues(1) }, Other: { languages: two } },
    { ...external, ...danger, below: ".Location.languages" },
  ),
  ...["line1", "line2", "tts", "label", "textBody"].flatMap((name) => [
    row("texts", `empty ${name}`, english(name), "x", ""),
    row("texts", `long ${name}`, english(name), "x".repeat(65535), "x".repeat(65536)),
    nullAt("texts", english(name)),
  ]),
];
