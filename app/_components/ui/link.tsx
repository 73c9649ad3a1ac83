import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * A link to a page of the console. Without prefetching: pages are rendered on demand, so it would fetch none of their
 * content, at some thirty requests per page.
 */
export function Link(props: Omit<ComponentProps<typeof NextLink>, "prefetch">) {
  return <NextLink {...props} prefetch={false} />;
}
