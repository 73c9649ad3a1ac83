import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type ExamplePerson, makeExamplePeople } from "@/bench/example-login/people";
import { type ExampleProvider, makeProvider } from "@/bench/example-login/provider";

export interface ExampleLogin {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly people: readonly ExamplePerson[];
  readonly current: () => ExampleProvider;
  /** Signs with a new key from now on and drops the old one. */
  rotate(): void;
  close(): Promise<void>;
}

export interface ExampleLoginOptions {
  readonly port?: number;
  readonly origins?: readonly string[];
  readonly answerFirst?: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly prepare?: (provider: ExampleProvider) => void;
}

export async function startExampleLogin(options: ExampleLoginOptions = {}): Promise<ExampleLogin> {
  const { port = 0, origins = ["http://localhost:3000"], answerFirst = () => false, prepare } = options;
  const people = makeExamplePeople();
  const client = { clientId: "policy-server", clientSecret: "example-secret" };
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${portOf(server.address())}`;
  let keys = 0;
  const make = () => {
    keys += 1;
    const made = makeProvider({ issuer, ...client, origins, people, keyId: `key-${keys}` });
    prepare?.(made);
    return { ...made, handle: made.provider.callback() };
  };
  let current = make();
  server.on("request", (request, response) => {
    if (answerFirst(request, response)) return;
    const [, uid, person] = /^\/people\/([\w-]+)(?:\/as\/(\w+))?$/.exec(request.url ?? "") ?? [];
    if (uid === undefined) current.handle(request, response);
    else if (person === undefined) response.setHeader("Content-Type", "text/html").end(choicePage(uid, people));
    else void current.provider.interactionFinished(request, response, { login: { accountId: person } });
  });
  return {
    issuer,
    ...client,
    people,
    current: () => current,
    rotate: () => {
      current = make();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function choicePage(uid: string, people: readonly ExamplePerson[]): string {
  const items = people.map(
    ({ id, name, groups }) => `<li><a href="/people/${uid}/as/${id}">${name}</a> (${groups.join(", ")})</li>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<title>Example sign-in</title><h1>Who are you?</h1><ul>${items.join("")}</ul>`;
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === "string") throw new Error("The server listens on no port.");
  return address.port;
}
