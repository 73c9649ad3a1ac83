"use client";
import { CSPProvider } from "@base-ui/react/csp-provider";
import { Tooltip } from "@base-ui/react/tooltip";
import { ThemeProvider } from "next-themes";
import type { ReactNode } from "react";

/** What every page needs around it: theme, nonce for styles that components bring along, timing of tooltips. */
export function Providers({ nonce, children }: Readonly<{ nonce: string; children: ReactNode }>) {
  return (
    <ThemeProvider attribute="data-theme" enableColorScheme={false} disableTransitionOnChange nonce={nonce}>
      <CSPProvider nonce={nonce}>
        <Tooltip.Provider delay={400} closeDelay={50}>
          {children}
        </Tooltip.Provider>
      </CSPProvider>
    </ThemeProvider>
  );
}
