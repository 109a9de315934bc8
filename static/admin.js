// The admin pages work without any of this. It takes the token out of the address, and keeps typed words from getting lost.
const token = document.getElementById('token');
if (token && location.hash.length > 20) {
  token.value = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
  document.getElementById('enter').requestSubmit();
}
for (const field of document.querySelectorAll('[data-select]')) field.addEventListener('focus', () => field.select());

let typed = false;
document.addEventListener('input', (event) => { if (event.target.form?.querySelector('[name="admin_password"], [data-kept]')) typed = true; });
document.addEventListener('submit', () => { typed = false; });
addEventListener('beforeunload', (event) => { if (typed) event.preventDefault(); });

// Reset puts the choice back in place; without script it leads to the review of that one field.
document.addEventListener('click', (event) => {
  const reset = event.target.closest('[data-reset]');
  const field = reset && document.querySelector(`[name="${CSS.escape(reset.dataset.reset)}"]`);
  if (!field) return;
  event.preventDefault();
  field.value = '';
  reset.closest('li').classList.remove('own');
  reset.remove();
  field.focus();
  typed = true;
});
