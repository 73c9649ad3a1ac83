import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterAll } from "vitest";

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly isSecure: boolean;
  readonly user: string | undefined;
}

const servers: SMTPServer[] = [];

export function endMailServers(): void {
  afterAll(async () => {
    for (const server of servers.splice(0)) await new Promise<void>((resolve) => server.close(() => resolve()));
  });
}

export async function startMailServer(options: SMTPServerOptions = {}) {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    closeTimeout: 100,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
          isSecure: session.secure,
          user: session.user,
        });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => undefined);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.server.address() as AddressInfo).port, received };
}

export function readMail({ raw }: ReceivedMail): { headers: Record<string, string>; text: string; html: string } {
  const [head = "", ...rest] = raw.split("\r\n\r\n");
  const headers = readHeaders(head);
  const boundary = /boundary="([^"]+)"/.exec(headers["content-type"] ?? "")?.[1] ?? "none";
  const parts = rest.join("\r\n\r\n").split(`--${boundary}`).slice(1, -1).map(readPart);
  const partOf = (type: string) => parts.find((part) => part.type.startsWith(type))?.content ?? "";
  return { headers, text: partOf("text/plain"), html: partOf("text/html") };
}

function readHeaders(head: string): Record<string, string> {
  const lines = head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n");
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
}

function readPart(part: string): { type: string; content: string } {
  const [head = "", ...rest] = part.replace(/^\r\n/, "").split("\r\n\r\n");
  const headers = readHeaders(head);
  const body = rest.join("\r\n\r\n").replace(/\r\n$/, "");
  const encoding = headers["content-transfer-encoding"];
  const content = encoding === "base64" ? Buffer.from(body, "base64").toString() : decodePrintable(body, encoding);
  return { type: headers["content-type"] ?? "", content: content.replaceAll("\r\n", "\n") };
}

function decodePrintable(body: string, encoding: string | undefined): string {
  if (encoding !== "quoted-printable") return body;
  const bytes = body.replaceAll("=\r\n", "").replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => {
    return String.fromCharCode(Number.parseInt(hex, 16));
  });
  return Buffer.from(bytes, "latin1").toString();
}

/** Text of a header with encoded words (RFC 2047). */
export function decodeHeader(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, "?==?")
    .replaceAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === "B"
        ? Buffer.from(text, "base64").toString()
        : decodePrintable(text.replaceAll("_", " "), "quoted-printable"),
    );
}
