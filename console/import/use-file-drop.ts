import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Accepts files that are dropped anywhere on the page: otherwise the browser would open a file that misses the drop area.
 * Returns whether a person is dragging a file over the page.
 */
export function useFileDrop(onDrop: (files: FileList) => void): boolean {
  const [isOver, setOver] = useState(false);
  const take = useEffectEvent(onDrop);
  useEffect(() => {
    function onDragOver(event: DragEvent): void {
      if (event.dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      setOver(true);
    }
    function onDragLeave({ relatedTarget }: DragEvent): void {
      // The pointer has left the window.
      if (relatedTarget === null) setOver(false);
    }
    function onDropFiles(event: DragEvent): void {
      const files = event.dataTransfer?.files;
      if (files === undefined || files.length === 0) return;
      event.preventDefault();
      setOver(false);
      take(files);
    }
    addEventListener('dragover', onDragOver);
    addEventListener('dragleave', onDragLeave);
    addEventListener('drop', onDropFiles);
    return () => {
      removeEventListener('dragover', onDragOver);
      removeEventListener('dragleave', onDragLeave);
      removeEventListener('drop', onDropFiles);
    };
  }, []);
  return isOver;
}
