// The page can be read without this script, which searches and shows times in the zone of the reader.
const find = (selector) => document.querySelector(selector);
const findAll = (selector) => [...document.querySelectorAll(selector)];

for (const element of findAll('[hidden]')) element.hidden = false;

const style = { dateStyle: 'medium', timeStyle: 'long' };
for (const time of findAll('time')) {
  time.title = time.dateTime;
  time.textContent = new Date(time.dateTime).toLocaleString(undefined, style);
}

const search = find('input[type=search]');
const folds = findAll('main details');
let opened = [];

function showMatches() {
  const wanted = search.value.trim().toLowerCase();
  const isFound = (element) => element.textContent.toLowerCase().includes(wanted);
  for (const fold of opened) fold.open = false;
  opened = [];
  for (const item of findAll('.item')) item.hidden = !isFound(item);
  for (const group of findAll('main section, .group')) group.hidden = !isFound(group);
  if (wanted !== '') {
    opened = folds.filter(
      (fold) => !fold.open && fold.matches('.group, .also, .sentences details') && isFound(fold),
    );
    for (const fold of opened) fold.open = true;
  }
  const count = findAll('.item:not([hidden])').length;
  find('.nothing').textContent = wanted !== '' && count === 0 ? `No match for "${search.value.trim()}".` : '';
}
search.addEventListener('input', showMatches);

addEventListener('keydown', (event) => {
  if (event.key === '/' && event.target !== search) {
    event.preventDefault();
    search.focus();
  }
  if (event.key === 'Escape' && event.target === search) {
    search.value = '';
    showMatches();
  }
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && event.target !== search;
  if (isPlain && event.key === 'j') goToFinding(1);
  if (isPlain && event.key === 'k') goToFinding(-1);
});

let current;

/** Goes to the next finding that is shown, or to the one before it. */
function goToFinding(step) {
  const shown = findAll('.finding').filter((finding) => finding.checkVisibility());
  const place = shown.indexOf(current);
  // Without a current finding, both keys go to the first one.
  const next = shown[place === -1 ? 0 : place + step];
  if (next === undefined) return;
  current = next;
  next.tabIndex = -1;
  next.focus({ preventScroll: true });
  next.scrollIntoView();
}

// A section is unfolded when its filter is chosen.
for (const radio of findAll('[name=show]')) {
  radio.addEventListener('change', () => {
    const kind = radio.id.replace('show-', '');
    for (const fold of findAll(`section[data-kind="${kind}"] > .group`)) fold.open = true;
  });
}

function showTarget() {
  // Every id is written without an escape.
  const target = document.getElementById(location.hash.slice(1));
  if (target === null) return;
  find('#show-all').checked = true;
  search.value = '';
  showMatches();
  for (let fold = target.closest('details'); fold !== null; fold = fold.parentElement.closest('details'))
    fold.open = true;
  target.scrollIntoView();
  current = target.closest('.finding') ?? undefined;
}
addEventListener('hashchange', showTarget);
showTarget();
