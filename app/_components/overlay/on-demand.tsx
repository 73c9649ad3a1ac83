import dynamic from "next/dynamic";
import {
  type ComponentType,
  type FunctionComponent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useState,
} from "react";
import { showProblem } from "@/app/_components/feedback/show-toast";
import { type Opened, type OpenerProps, useOpener } from "@/app/_components/overlay/opener";
import { useActivity } from "@/app/_components/hooks/use-activity";
import { Skeleton } from "@/app/_components/ui/skeleton";

/* Dialogs, menus and lists: their code loads when the reader first points at the page or types. */

type Load<Props> = () => Promise<FunctionComponent<Props>>;

/**
 * The hook returns null until the component is wanted and loaded. A failure shows a toast; the next wish loads again.
 */
export function onDemand<Props>(load: Load<Props>) {
  let found: FunctionComponent<Props> | null = null;
  const fetch = async () => (found ??= await load());

  return function useOnDemand(isWanted: boolean, onFailure?: () => void): FunctionComponent<Props> | null {
    const isActive = useActivity();
    const [Code, setCode] = useState<FunctionComponent<Props> | null>(null);
    const fail = useEffectEvent((error: unknown) => {
      if (!isWanted) return;
      showProblem(error);
      onFailure?.();
    });
    useEffect(() => {
      if (Code !== null || !(isActive || isWanted)) return;
      let isGone = false;
      fetch().then(
        (code) => {
          if (isWanted && !isGone) setCode(() => code);
        },
        (error: unknown) => {
          if (!isGone) fail(error);
        },
      );
      return () => {
        isGone = true;
      };
    }, [Code, isActive, isWanted]);
    return Code ?? (isWanted ? found : null);
  };
}

/** A dialog or menu with its button. Until the layer has the focus, no key reaches the page below. */
export function overlay<Props extends object>(
  load: Load<Props & Opened>,
  popup?: "menu",
): FunctionComponent<Props & OpenerProps> {
  const useCode = onDemand(load);
  return function Overlay(props: Props & OpenerProps) {
    const [button, state] = useOpener(props, popup);
    const close = () => state.onOpenChange(false);
    const Code = useCode(state.open, close);
    return (
      <>
        {button}
        {state.open && <KeyHold onEscape={close} />}
        {Code && <Code {...props} {...state} />}
      </>
    );
  };
}

/** Mounted only while it is open; its code loads then. */
export function dialogOnDemand<Props>(load: Load<Props>): ComponentType<Props> {
  return dynamic(load, { ssr: false, loading: () => <KeyHold /> });
}

/** Shows a skeleton until its code has loaded. */
export function partOnDemand<Props>(load: Load<Props>, className: string): ComponentType<Props> {
  return dynamic(load, { ssr: false, loading: () => <Skeleton className={className} /> });
}

const layers = "[role=dialog], [role=alertdialog], [role=menu]";

/** Drops keys until the new layer has the focus: nobody can see yet what they would do. */
export function KeyHold({ onEscape }: Readonly<{ onEscape?: () => void }>) {
  const escape = useEffectEvent(() => onEscape?.());
  useLayoutEffect(() => {
    // The focus may first return to the trigger of a closing layer.
    const isFromLayer = document.activeElement?.closest(layers) !== null;
    const below = new Set(isFromLayer ? document.querySelectorAll(layers) : []);
    const hold = (event: KeyboardEvent) => {
      const layer = document.activeElement?.closest(layers) ?? null;
      if (layer !== null && !below.has(layer)) {
        release();
        return;
      }
      event.stopImmediatePropagation();
      // The browser keeps its own keys.
      if (!/^F\d/.test(event.key)) event.preventDefault();
      if (event.type === "keydown" && event.key === "Escape") escape();
    };
    const release = () => {
      window.removeEventListener("keydown", hold, true);
      window.removeEventListener("keyup", hold, true);
    };
    window.addEventListener("keydown", hold, true);
    window.addEventListener("keyup", hold, true);
    return release;
  }, []);
  return null;
}

/** Moves the focus in the frame that shows a dialog; Base UI does so a frame later, which loses the next key. */
export function useFocusAtOnce(find: () => HTMLElement | null | undefined): void {
  const focus = useEffectEvent(() => find()?.focus({ preventScroll: true }));
  useLayoutEffect(() => {
    // Base UI must first record the focused element in order to restore it.
    queueMicrotask(() => focus());
  }, []);
}
