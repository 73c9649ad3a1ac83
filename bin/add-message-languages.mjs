/**
 * `node bin/add-message-languages.mjs [language …] < export.json > body.json`: adds languages shipped with this version
 * to the messages of an older installation. Reads a console export ("Messages (JSON)") and writes the body of a `POST
 * /api/v1/messages` with the messages that gain a language. Changes no existing text. Skips and names messages whose English
 * text differs from the shipped one, because the translations might not match it.
 */
import { readFileSync } from "node:fs";

const seed = JSON.parse(readFileSync(new URL("../seed/consumer-messages.json", import.meta.url), "utf8"));
const shipped = new Map(seed.categories.map(({ name, languages }) => [name, languages]));
const known = Object.keys(seed.categories[0].languages);
const wanted = process.argv.length > 2 ? process.argv.slice(2) : known;
const unknown = wanted.filter((id) => !known.includes(id));
if (unknown.length > 0) {
  console.error(`Not shipped: ${unknown.join(", ")}. There are ${known.join(", ")}.`);
  process.exit(1);
}

const toBody = (id, { tts = null, line1 = null, line2 = null, textBody = null, label = null }) => ({
  language_id: id,
  selected: true,
  tts,
  line1,
  line2,
  text_body: textBody,
  label,
});
const members = ["tts", "line1", "line2", "text_body", "label"];
const isSame = (one, other) => members.every((member) => (one[member] || null) === other[member]);

const messages = JSON.parse(readFileSync(0, "utf8")).messages.flatMap((message) => {
  const texts = shipped.get(message.message_category);
  if (texts === undefined || message.is_deleted) return [];
  const present = new Map(message.languages.map((language) => [language.language_id, language]));
  const added = wanted.filter((id) => !present.has(id)).map((id) => toBody(id, texts[id]));
  if (added.length === 0) return [];
  if (!isSame(present.get("en-us") ?? {}, toBody("en-us", texts["en-us"]))) {
    console.error(`Left out: ${message.message_category}, whose English text is not the shipped one`);
    return [];
  }
  return [{ ...message, languages: [...message.languages, ...added] }];
});
console.log(JSON.stringify({ messages }, null, 2));
