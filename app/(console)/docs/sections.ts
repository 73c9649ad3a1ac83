import type { OpenApiDocument, PathItem } from "@/app/_api/openapi/document";

const methods = ["get", "post", "put", "patch", "delete"] as const;

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

export const operationHref = (operationId: string) => `/docs?operation=${encodeURIComponent(operationId)}`;

export const objectHref = (name: string) => `/docs?object=${encodeURIComponent(name)}`;

export const anchorOf = (section: string) => section.toLowerCase().replaceAll(" ", "-");
