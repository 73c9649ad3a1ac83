import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import "@fontsource-variable/inter/wght.css";
import { Providers } from "@/app/_components/providers";
import { nonceHeader } from "@/lib/platform/http/headers/page-policy";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Policy Server", template: "%s · Policy Server" },
  description: "Answers SmartDeviceLink head units with policy tables",
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f8f9fb" },
    { media: "(prefers-color-scheme: dark)", color: "#0b0d11" },
  ],
};

// The Content-Security-Policy's nonce is new for every response: a prerendered page would have none.
export const dynamic = "force-dynamic";

export default async function RootLayout({ children }: Readonly<{ children: ReactNode }>) {
  const nonce = (await headers()).get(nonceHeader) ?? "";
  return (
    // The script that sets the theme before the first paint changes this element.
    <html lang="en" suppressHydrationWarning>
      <body className="antialiased">
        <Providers nonce={nonce}>{children}</Providers>
      </body>
    </html>
  );
}
