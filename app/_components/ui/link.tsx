import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * Without prefetching: pages are rendered on demand, so it would fetch no content, at some thirty requests per page.
 */
export function Link(props: Omit<ComponentProps<typeof NextLink>, "prefetch">) {
  return <NextLink {...props} prefetch={false} />;
}
