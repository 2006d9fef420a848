// The copy button of every page: it copies its value, or else the code that it is in.
{
  /** Time for which a button shows that it has copied, in milliseconds. */
  const DONE_TIME = 2_000;

  addEventListener('click', ({ target }) => {
    const button = target.closest('.copy');
    if (button === null) return;
    const code = button.closest('.code')?.querySelector('pre') ?? button;
    const setText = (event) => {
      event.preventDefault();
      event.clipboardData.setData('text/plain', button.value || code.textContent);
    };
    // A page from a file or from plain HTTP may have no other access to the clipboard. Safari copies only if something is selected.
    getSelection().selectAllChildren(code);
    addEventListener('copy', setText);
    document.execCommand('copy');
    removeEventListener('copy', setText);
    getSelection().removeAllRanges();
    button.dataset.done = '';
    setTimeout(() => delete button.dataset.done, DONE_TIME);
  });
}
