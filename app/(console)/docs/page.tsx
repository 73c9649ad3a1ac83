import type { Metadata } from "next";
import { routeSections } from "@/app/_api/routes";
import { Contents, Overview } from "./contents";
import { listSections } from "./sections";
import { FollowFragment } from "./follow-fragment";
import { OperationView, SchemaView } from "./operation-view";
import { Notice } from "@/app/_components/feedback/notice";
import { PageHeader } from "@/app/_components/ui/page-header";
import { requirePage } from "@/lib/platform/auth/callers/require-page";
import { buildDocument } from "@/app/_api/openapi/build-document";
import { packageVersion } from "@/lib/platform/version";
import type { JsonSchema } from "@/lib/platform/zod/json-schema";

export const metadata: Metadata = { title: "API" };
export const dynamic = "force-dynamic";

/** `?operation=getGroups`, `?object=Group`, or the overview. */
export default async function DocsPage({ searchParams }: PageProps<"/docs">) {
  await requirePage("read");
  const query = await searchParams;
  const document = buildDocument(routeSections, packageVersion);
  const { responses, schemas } = document.components;
  const sections = listSections(document);
  const operations = sections.flatMap((section) => section.operations);
  const objects = Object.keys(schemas);
  const wantedOperation = firstOf(query["operation"]);
  const wantedObject = firstOf(query["object"]);
  const shown = operations.find(({ operation }) => operation.operationId === wantedOperation);
  const object = shown ? undefined : Object.entries(schemas).find(([name]) => name === wantedObject);
  const isUnknown = !shown && !object && (wantedOperation ?? wantedObject) !== undefined;
  const contents = { sections, objects, current: shown?.operation.operationId ?? object?.[0] ?? null };
  return (
    <div className="gap-8 lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
      <nav aria-label="Routes" className="hidden lg:block">
        <div className="sticky top-[calc(var(--header)+1.25rem)] max-h-[calc(100dvh-var(--header)-2.5rem)] overflow-y-auto py-1 pr-2">
          <Contents {...contents} />
        </div>
      </nav>
      <div className="max-w-4xl min-w-0 space-y-6">
        <header className="space-y-3">
          <PageHeader title="API" description={`${document.info.title} ${document.info.version}`} />
          {contents.current === null && <p className="max-w-prose">{document.info.description.replaceAll("`", "")}</p>}
          <p>
            {/* oxlint-disable-next-line next/no-html-link-for-pages -- a file, not a page */}
            <a href="/api/v1/openapi.json">This description for tools (OpenAPI 3.1)</a>
          </p>
          <details className="rounded-card border border-line bg-surface p-4 lg:hidden">
            <summary className="cursor-pointer py-0.5 font-semibold">Contents</summary>
            <nav aria-label="Contents" className="mt-3">
              <Contents {...contents} />
            </nav>
          </details>
        </header>
        {isUnknown && <Notice title="Operation or object not found">Choose one from the list.</Notice>}
        {shown && <OperationView {...shown} responses={responses} />}
        {object && <ObjectView name={object[0]} schema={object[1]} />}
        {contents.current === null && <Overview sections={sections} schemas={schemas} />}
      </div>
      <FollowFragment operations={operations.map(({ operation }) => operation.operationId)} objects={objects} />
    </div>
  );
}

const firstOf = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

function ObjectView({ name, schema }: Readonly<{ name: string; schema: JsonSchema }>) {
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
