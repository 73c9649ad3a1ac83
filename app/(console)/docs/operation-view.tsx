import { type ReactNode, Fragment } from "react";
import type { DocumentedMethod, OpenApiDocument, Operation } from "@/app/_api/openapi/document";
import type { JsonSchema } from "@/lib/platform/zod/json-schema";
import { findMembers, type Member, nameType } from "@/app/_api/openapi/type-text";
import { Link } from "@/app/_components/ui/link";
import { objectHref } from "./sections";

const callers: Readonly<Record<string, string>> = {
  password: "Administrators, with the password or a session",
  webhookKey: "The app directory, with its key",
};

export function OperationView({
  path,
  method,
  operation,
  responses,
}: Readonly<{
  path: string;
  method: DocumentedMethod;
  operation: Operation;
  responses: OpenApiDocument["components"]["responses"];
}>) {
  const { operationId, summary, description, parameters, requestBody, security } = operation;
  const body = requestBody?.content["application/json"]?.schema;
  const [caller] = Object.keys(security[0] ?? {});
  return (
    <article id={operationId} className="rounded-card border border-line bg-surface p-4">
      <h2 className="flex flex-wrap items-center gap-x-3 gap-y-1 [&>span]:self-center">
        <MethodName method={method} />
        <code className="font-mono font-semibold wrap-anywhere">{path}</code>
      </h2>
      <p className="mt-2">{summary}.</p>
      {description !== undefined && <p className="text-table text-muted">{description.replaceAll("`", "")}</p>}
      <Part name="Who may call">
        <p>{(caller !== undefined && callers[caller]) || "Everyone"}</p>
      </Part>
      {parameters !== undefined && parameters.length > 0 && (
        <Part name="Query parameters">
          <MemberList
            direction="sent"
            members={parameters.map(({ name, schema, required, description: note }) => ({
              name,
              schema: note === undefined ? schema : { ...schema, description: note },
              isRequired: required,
            }))}
          />
        </Part>
      )}
      {body !== undefined && (
        <Part name={requestBody?.required ? "Body" : "Body (optional)"}>
          <SchemaView schema={body} direction="sent" />
        </Part>
      )}
      <Part name="Answer">
        <Success operation={operation} />
      </Part>
      <Part name="Errors">
        <ErrorList operation={operation} responses={responses} />
      </Part>
    </article>
  );
}

export function MethodName({ method }: Readonly<{ method: string }>) {
  const isReading = method === "get";
  return (
    <span
      className={`inline-block w-12 shrink-0 self-start rounded border border-current text-center font-mono text-xs leading-5 font-semibold uppercase ${
        isReading ? "text-good" : "text-link"
      }`}
    >
      {method}
    </span>
  );
}

function Part({ name, children }: Readonly<{ name: string; children: ReactNode }>) {
  return (
    <section className="mt-5">
      <h3 className="mb-1 border-b border-line pb-1 text-table font-semibold">{name}</h3>
      {children}
    </section>
  );
}

/** Only `data` of the envelope; the rest never varies. */
function Success({ operation }: Readonly<{ operation: Operation }>) {
  const success = operation.responses["200"];
  const content = success !== undefined && "content" in success ? success.content : undefined;
  if (content?.["text/plain"]) return <p className="text-muted">plain text</p>;
  const schema = content?.["application/json"]?.schema;
  if (schema === undefined) return null;
  return <SchemaView schema={dataOf(schema) ?? schema} direction="received" />;
}

function dataOf(envelope: JsonSchema): JsonSchema | undefined {
  const members = findMembers(envelope) ?? [];
  const isEnvelope = members.some(({ name }) => name === "meta");
  return isEnvelope ? members.find(({ name }) => name === "data")?.schema : undefined;
}

function ErrorList({
  operation,
  responses,
}: Readonly<{ operation: Operation; responses: OpenApiDocument["components"]["responses"] }>) {
  const failures = Object.entries(operation.responses).flatMap(([status, response]) => {
    const name = "$ref" in response ? response.$ref.split("/").at(-1) : undefined;
    return name === undefined ? [] : [[status, responses[name]?.description ?? ""] as const];
  });
  if (failures.length === 0) return <p className="text-muted">none of its own</p>;
  return (
    <ul className="text-table">
      {failures.map(([status, text]) => (
        <li key={status} className="grid grid-cols-[3rem_1fr]">
          <span className="font-mono text-bad">{status}</span>
          <span className="text-muted">{text}</span>
        </li>
      ))}
    </ul>
  );
}

function TypeName({ schema }: Readonly<{ schema: JsonSchema }>) {
  return (
    <span className="text-muted wrap-anywhere">
      {nameType(schema).map((piece, index) => (
        <Fragment key={index}>
          {"words" in piece ? (
            piece.words
          ) : (
            <Link className="underline" href={objectHref(piece.schema)}>
              {piece.schema}
            </Link>
          )}
        </Fragment>
      ))}
    </span>
  );
}

/** For sent values, required members are marked; for received values, optional ones. */
type Direction = "sent" | "received";

export function SchemaView({ schema, direction }: Readonly<{ schema: JsonSchema; direction: Direction }>) {
  const members = findMembers(schema);
  if (members === null || members.length === 0) {
    return (
      <p>
        {members === null ? <TypeName schema={schema} /> : <span className="text-muted">empty object</span>}
        <Notes schema={schema} />
      </p>
    );
  }
  return <MemberList members={members} direction={direction} />;
}

function MemberList({ members, direction }: Readonly<{ members: readonly Member[]; direction: Direction }>) {
  return (
    <ul className="divide-y divide-line">
      {members.map(({ name, schema, isRequired }) => {
        const inner = findMembers(schema);
        return (
          <li key={name} className="py-2">
            <div className="grid items-baseline gap-x-4 text-table sm:grid-cols-[minmax(0,19rem)_minmax(0,1fr)]">
              <span>
                <code className="mr-2 font-mono font-medium wrap-anywhere">{name}</code>
                {isRequired && direction === "sent" && <span className="text-warn">required</span>}
                {!isRequired && direction === "received" && <span className="text-muted">not always</span>}
              </span>
              <span>
                <TypeName schema={schema} />
                <Notes schema={schema} />
              </span>
            </div>
            {inner !== null && inner.length > 0 && (
              <div className="mt-2 ml-1 border-l-2 border-line pl-3 sm:ml-2">
                <MemberList members={inner} direction={direction} />
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Notes({ schema }: Readonly<{ schema: JsonSchema }>) {
  return (
    <>
      {schema.default !== undefined && (
        <span className="text-muted">
          ; default <code className="font-mono">{JSON.stringify(schema.default)}</code>
        </span>
      )}
      {schema.description !== undefined && <span className="block">{schema.description}</span>}
    </>
  );
}
