export interface PendingApp {
  readonly id: number;
  /** From the app directory, and so from strangers: do not trust it. */
  readonly name: string;
}

export interface ReviewMessage {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const longestName = 100;
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\s]+/gu;

export function buildReviewMessage(apps: readonly PendingApp[], total: number, baseUrl: string): ReviewMessage {
  const items = apps.map(({ id, name }) => ({ name: cleanName(name), url: `${baseUrl}/applications/${id}` }));
  const [first] = items;
  const subject =
    total === 1 && first !== undefined ? `App waiting for review: ${first.name}` : `${total} apps waiting for review`;
  const intro = total === 1 ? "An app is waiting for review:" : `${total} apps are waiting for review:`;
  const left = total - items.length;
  const rest = left > 0 ? [`… and ${left} more: ${baseUrl}/applications`] : [];
  const lines = items.map(({ name, url }) => `- ${name}\n  ${url}`);
  const rows = items.map(({ name, url }) => `<li><a href="${escapeHtml(url)}">${escapeHtml(name)}</a></li>`);
  return {
    subject,
    text: [intro, "", ...lines, ...rest, ""].join("\n"),
    html: buildPage(subject, [
      `<p>${escapeHtml(intro)}</p>`,
      `<ul>${rows.join("\n")}</ul>`,
      ...(left > 0 ? [`<p>… and <a href="${escapeHtml(`${baseUrl}/applications`)}">${left} more</a></p>`] : []),
    ]),
  };
}

export function buildStoppedMessage(
  { name, reason }: { readonly name: string | null; readonly reason: string },
  baseUrl: string,
): ReviewMessage {
  const subject = `Scheduled release was stopped${name === null ? "" : `: ${cleanName(name)}`}`;
  return buildNotice(subject, reason, `${baseUrl}/releases`);
}

/** One sentence about what has happened, and where to look. */
export function buildNotice(title: string, sentence: string, url: string): ReviewMessage {
  const subject = title.replaceAll(unprintable, " ").trim();
  const told = sentence.replaceAll(unprintable, " ").trim();
  return {
    subject,
    text: [`${subject}.`, "", told, "", url, ""].join("\n"),
    html: buildPage(subject, [
      `<p>${escapeHtml(`${subject}.`)}</p>`,
      `<p>${escapeHtml(told)}</p>`,
      `<p><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>`,
    ]),
  };
}

const maxItems = 20;

export function buildRequestMessage(
  { title, by, items }: { readonly title: string; readonly by: string; readonly items: readonly string[] },
  url: string,
): ReviewMessage {
  const subject = `Waiting for approval: ${cleanName(title)}`;
  const intro = `${cleanName(by)} requests your approval:`;
  const names = items.slice(0, maxItems).map(cleanName);
  const left = items.length - names.length;
  const rest = left > 0 ? [`… and ${left} more`] : [];
  return {
    subject,
    text: [intro, "", ...[...names.map((name) => `- ${name}`), ...rest], "", url, ""].join("\n"),
    html: buildPage(subject, [
      `<p>${escapeHtml(intro)}</p>`,
      `<ul>${[...names, ...rest].map((name) => `<li>${escapeHtml(name)}</li>`).join("\n")}</ul>`,
      `<p><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>`,
    ]),
  };
}

function buildPage(title: string, lines: readonly string[]): string {
  const head = `<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>`;
  return ["<!doctype html>", `<html lang="en">${head}<body>`, ...lines, "</body></html>", ""].join("\n");
}

/** One line of text, safe in a header. */
function cleanName(name: string): string {
  const characters = Array.from(name.replaceAll(unprintable, " ").trim());
  if (characters.length === 0) return "(without a name)";
  return characters.length > longestName ? `${characters.slice(0, longestName).join("")}…` : characters.join("");
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? "");
}
