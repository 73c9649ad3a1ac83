import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * A link to a page of the console. Nothing is fetched before somebody follows it: pages are made on demand, so that it would
 * bring nothing of their content, at some thirty requests a page.
 */
export function Link(props: Omit<ComponentProps<typeof NextLink>, "prefetch">) {
  return <NextLink {...props} prefetch={false} />;
}
