"use client";
import { CSPProvider } from "@base-ui/react/csp-provider";
import { ThemeProvider } from "next-themes";
import type { ReactNode } from "react";

export function Providers({ nonce, children }: Readonly<{ nonce: string; children: ReactNode }>) {
  return (
    <ThemeProvider attribute="data-theme" enableColorScheme={false} disableTransitionOnChange nonce={nonce}>
      <CSPProvider nonce={nonce}>{children}</CSPProvider>
    </ThemeProvider>
  );
}
