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

/*
 * Dialogs, menus and lists, which only active readers need. Their code loads when the reader first points at the page
 * or types, which is usually before it is needed.
 */

type Load<Props> = () => Promise<FunctionComponent<Props>>;

/**
 * Creates a hook that returns a component once it is wanted and its code has loaded; null until then. A failure shows a
 * toast, and the code loads again when it is next wanted.
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

/**
 * Creates a dialog or menu with its button; the code loads on demand. Until the layer has the focus, no key reaches the
 * page below.
 */
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

/** Creates a dialog that is mounted only while it is open; its code loads then. */
export function dialogOnDemand<Props>(load: Load<Props>): ComponentType<Props> {
  return dynamic(load, { ssr: false, loading: () => <KeyHold /> });
}

/** Creates a part of a page whose code loads once it is shown, with a skeleton until then. */
export function partOnDemand<Props>(load: Load<Props>, className: string): ComponentType<Props> {
  return dynamic(load, { ssr: false, loading: () => <Skeleton className={className} /> });
}

const layers = "[role=dialog], [role=alertdialog], [role=menu]";

/**
 * Rendered where a dialog or menu is about to appear: drops all keys until it has the focus. Nobody can see yet what
 * they would do, and the page below must not react to them.
 */
export function KeyHold({ onEscape }: Readonly<{ onEscape?: () => void }>) {
  const escape = useEffectEvent(() => onEscape?.());
  useLayoutEffect(() => {
    // Opened from a layer that is closing, such as a menu: the focus may first return to that layer's trigger.
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

/**
 * Moves the focus in the same frame that shows a dialog, because the next key is meant for what is visible. Base UI
 * does so a frame later.
 */
export function useFocusAtOnce(find: () => HTMLElement | null | undefined): void {
  const focus = useEffectEvent(() => find()?.focus({ preventScroll: true }));
  useLayoutEffect(() => {
    // Base UI must first record the focused element in order to restore it.
    queueMicrotask(() => focus());
  }, []);
}
