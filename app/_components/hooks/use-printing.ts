import { useMedia } from "@/app/_components/hooks/use-media";

/** Paper cannot be opened: what is folded and already loaded shows then. */
export function usePrinting(): boolean {
  return useMedia("print");
}
