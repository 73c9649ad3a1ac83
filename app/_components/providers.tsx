"use client";
import { CSPProvider } from "@base-ui/react/csp-provider";
import { ThemeProvider } from "next-themes";
import type { ReactNode } from "react";

/** What every page needs around it: theme, and the nonce for styles that components bring along. */
export function Providers({ nonce, children }: Readonly<{ nonce: string; children: ReactNode }>) {
  return (
    <ThemeProvider attribute="data-theme" enableColorScheme={false} disableTransitionOnChange nonce={nonce}>
      <CSPProvider nonce={nonce}>{children}</CSPProvider>
    </ThemeProvider>
  );
}
