import type { OpenApiDocument, PathItem } from "@/lib/routes/openapi/document";

const methods = ["get", "post", "put", "patch", "delete"] as const;

/** The operations of the API by section, in the order of the description. */
export function listSections({ tags, paths }: Pick<OpenApiDocument, "tags" | "paths">) {
  return tags.map(({ name, description }) => ({
    name,
    description,
    operations: Object.entries(paths)
      .flatMap(([path, item]) => listOperations(path, item))
      .filter(({ operation }) => operation.tags.includes(name)),
  }));
}
export type DocsSections = ReturnType<typeof listSections>;

function listOperations(path: string, item: PathItem) {
  return methods.flatMap((method) => {
    const operation = item[method];
    return operation === undefined ? [] : [{ path, method, operation }];
  });
}

/** Where an operation is described. */
export const operationHref = (operationId: string) => `/docs?operation=${encodeURIComponent(operationId)}`;

/** The address of an object with a name. */
export const objectHref = (name: string) => `/docs?object=${encodeURIComponent(name)}`;

/** Target of links to a section of the overview. */
export const anchorOf = (section: string) => section.toLowerCase().replaceAll(" ", "-");
