import { codes, english, languages, messages, missing, nullAt, regular, row, tongues, written, type Row } from "./row";

export const section7: readonly Row[] = [
  missing("7 consumer_friendly_messages: version", messages("version")),
  row("7 consumer_friendly_messages: version", "100 bytes", messages("version"), "1".repeat(100), "1".repeat(101)),
  row("7 consumer_friendly_messages: version", "empty", messages("version"), "1", ""),
  nullAt("7 consumer_friendly_messages: version", messages("version")),
  nullAt("7 consumer_friendly_messages", messages()),
  row("7 consumer_friendly_messages: messages", "at most 255", messages("messages"), codes(255), codes(256)),
  nullAt("7 consumer_friendly_messages: messages", messages("messages")),
  row(
    "7 consumer_friendly_messages: messages",
    "not an object",
    messages("messages"),
    {},
    { Location: null },
    {
      path: "consumer_friendly_messages.messages.Location",
    },
  ),
  missing("7 consumer_friendly_messages: languages per message", messages("messages", "Location", "languages")),
  row(
    "7 consumer_friendly_messages: en-us",
    "upper case",
    languages(),
    { "en-us": {} },
    { "EN-US": {} },
    {
      path: written(languages("en-us")),
    },
  ),
  row("7 consumer_friendly_messages: languages per message", "500", languages(), tongues(500), tongues(501), regular),
  row("7 consumer_friendly_messages: languages per message", "600", languages(), tongues(500), tongues(601)),
  row("7 consumer_friendly_messages: languages per message", "a null language", languages("de-de"), {}, null),
  ...["line1", "line2", "tts", "label", "textBody"].flatMap((name) => [
    row("7 consumer_friendly_messages: texts", `empty ${name}`, english(name), "x", ""),
    row("7 consumer_friendly_messages: texts", `long ${name}`, english(name), "x".repeat(65535), "x".repeat(65536)),
    nullAt("7 consumer_friendly_messages: texts", english(name)),
  ]),
];
