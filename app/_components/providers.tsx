"use client";
import { CSPProvider } from "@base-ui/react/csp-provider";
import { ThemeProvider } from "next-themes";
import type { ReactNode } from "react";

/** Context for every page: theme, and the nonce for styles of components. */
export function Providers({ nonce, children }: Readonly<{ nonce: string; children: ReactNode }>) {
  return (
    <ThemeProvider attribute="data-theme" enableColorScheme={false} disableTransitionOnChange nonce={nonce}>
      <CSPProvider nonce={nonce}>{children}</CSPProvider>
    </ThemeProvider>
  );
}
