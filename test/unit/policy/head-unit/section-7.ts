import { codes, english, languages, messages, regular, rowsOf, tongues, type Row } from "./row";

const { missing, nullAt, row } = rowsOf("7 consumer_friendly_messages");

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
  row("en-us", "upper case", languages(), { "en-us": {} }, { "EN-US": {} }, { below: ".en-us" }),
  row("languages per message", "500", languages(), tongues(500), tongues(501), regular),
  row("languages per message", "600", languages(), tongues(500), tongues(601)),
  row("languages per message", "a null language", languages("de-de"), {}, null),
  ...["line1", "line2", "tts", "label", "textBody"].flatMap((name) => [
    row("texts", `empty ${name}`, english(name), "x", ""),
    row("texts", `long ${name}`, english(name), "x".repeat(65535), "x".repeat(65536)),
    nullAt("texts", english(name)),
  ]),
];
