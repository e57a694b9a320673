// The keys in force, shown on `?`.

import { groups } from '../core/keys';
import { Dialog } from './dialog';

export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog label="Keys" onClose={onClose} class="help">
      <h2>Keys</h2>
      {groups.value.map(group => (
        <section key={group.title}>
          <h3>{group.title}</h3>
          <dl>
            {Object.entries(group.keys).map(([key, { does }]) => (
              <div key={key}>
                <dt>
                  {key.split(' ').map(part => (
                    <kbd key={part}>{part}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <button type="button" onClick={onClose}>
        Close
      </button>
    </Dialog>
  );
}
