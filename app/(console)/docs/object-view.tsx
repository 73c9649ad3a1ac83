import { SchemaView } from "@/app/(console)/docs/schema-view";
import type { JsonSchema } from "@/lib/platform/zod/json-schema";

/** An object with a name: what several routes answer with or take. */
export function ObjectView({ name, schema }: Readonly<{ name: string; schema: JsonSchema }>) {
  return (
    <article aria-labelledby="object-name" className="rounded-card border border-line bg-surface p-4">
      <h2 id="object-name" className="font-semibold">
        {name}
      </h2>
      {schema.description !== undefined && <p className="text-sm text-muted">{schema.description}.</p>}
      <div className="mt-3">
        <SchemaView schema={schema} direction={name.endsWith("Input") ? "sent" : "received"} />
      </div>
    </article>
  );
}
