import { Link } from "@/app/_components/ui/link";
import { Fragment } from "react";
import { objectHref } from "./contents";
import type { JsonSchema } from "@/lib/platform/zod/json-schema";
import { findMembers, type Member, nameType } from "@/lib/routes/openapi/type-text";

/** The type of a value in words; objects with a name are links. */
export function TypeName({ schema }: Readonly<{ schema: JsonSchema }>) {
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

/** Of what is sent, members that must be there are marked; of what comes back, those that may be missing. */
type Direction = "sent" | "received";

/** A value: its members, and theirs; or its type alone. */
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

/** Names, types and notes, one row each; below 640 px a row is two lines. */
export function MemberList({ members, direction }: Readonly<{ members: readonly Member[]; direction: Direction }>) {
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
