// The theme switch of every page: a button with the class `theme`. The theme of the system is the default.
{
  const { dataset, classList } = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');

  const show = (chosen) => {
    dataset.theme = /^(?:dark|light)$/.test(chosen) ? chosen : system.matches ? 'dark' : 'light';
    // The name that Swagger UI knows.
    classList.toggle('dark-mode', dataset.theme === 'dark');
  };

  const showChosen = () => {
    try {
      show(localStorage.getItem('theme'));
    } catch {
      // A page from a file may have no storage.
      show(null);
    }
  };

  showChosen();
  // Another tab changed the theme.
  addEventListener('storage', showChosen);
  system.addEventListener('change', showChosen);
  addEventListener('click', ({ target }) => {
    if (!target.closest('.theme')) return;
    const theme = dataset.theme === 'dark' ? 'light' : 'dark';
    show(theme);
    try {
      localStorage.setItem('theme', theme);
    } catch {}
  });
}
