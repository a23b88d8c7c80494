# 'muster split', 'check' and 'join' as users call them: every byte, size and hole comes back, and what is wrong is named.
import os
import pathlib
import subprocess
import sys
import tempfile

muster = os.path.abspath(sys.argv[1])
UNIT = 4096


def run(*words):
    done = subprocess.run([muster, *map(str, words)], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr


def succeeds(*words):
    code, text = run(*words)
    assert code == 0, (words, text)
    return text


def refuses(words, *expected):
    code, text = run(*words)
    assert code != 0, (words, text)
    for word in expected:
        assert word in text, (words, word, text)


def contents(size):
    return bytes((i * 7 + i // 251) % 256 for i in range(size))


def pieces_of(place, name):
    return sorted(p for p in place.iterdir() if p.name.startswith(name + '.'))


def every_size_comes_back(place):
    for size in (0, 1, UNIT - 1, UNIT, UNIT + 1, 3 * UNIT, 3 * UNIT + 1, 100_000):
        for count in (1, 3, 7):
            (place / 'plain').write_bytes(contents(size))
            succeeds('split', place / 'plain', place / 'set', '--pieces', count, '--unit', UNIT, '--force')
            assert len(pieces_of(place, 'set')) <= count, 'the old ones are gone'
            succeeds('check', place / 'set')
            succeeds('join', place / 'set', place / 'whole', '--force')
            assert (place / 'whole').read_bytes() == contents(size), (size, count)


def holes_stay_holes(place):
    with open(place / 'sparse', 'wb') as file:
        file.write(b'head')
        file.seek(1 << 26)
        file.write(b'tail')
        file.truncate((1 << 26) + (1 << 20))
    succeeds('split', place / 'sparse', place / 'holes', '--pieces', 3)
    succeeds('join', place / 'holes', place / 'again')
    assert (place / 'again').stat().st_size == (1 << 26) + (1 << 20)
    assert (place / 'again').stat().st_blocks * 512 < 1 << 20
    assert sum(p.stat().st_blocks for p in pieces_of(place, 'holes')) * 512 < 1 << 20
    with open(place / 'again', 'rb') as file:
        assert file.read(5) == b'head\0'
        file.seek((1 << 26) - 1)
        assert file.read(6) == b'\0tail\0'
    for name in ('sparse', 'again'):
        (place / name).unlink()


def fresh_set(place):
    (place / 'plain').write_bytes(contents(100_000))
    succeeds('split', place / 'plain', place / 'set', '--pieces', 3, '--unit', UNIT, '--force')
    return pieces_of(place, 'set')


def what_is_wrong_is_named(place):
    pieces = fresh_set(place)
    pieces[1].unlink()
    pieces[2].write_bytes(pieces[2].read_bytes()[:-1])
    for command in (['check', place / 'set'], ['join', place / 'set', place / 'none']):
        refuses(command, 'piece 1', 'is missing', 'piece 2', 'bytes instead of')
    assert not (place / 'none').exists(), 'nothing by halves'
    pieces = fresh_set(place)
    damaged = bytearray(pieces[0].read_bytes())
    damaged[1234] ^= 4
    pieces[0].write_bytes(damaged)
    refuses(['check', place / 'set'], 'piece 0', 'is damaged')
    pieces = fresh_set(place)
    pieces[1].unlink()
    pieces[1].mkdir()
    refuses(['check', place / 'set'], 'piece 1')
    pieces[1].rmdir()
    fresh_set(place)
    text = (place / 'set').read_bytes()
    for damaged in (text[:-3], text.replace(b'unit 4096', b'unit 4097'), text[:40]):
        (place / 'set').write_bytes(damaged)
        refuses(['check', place / 'set'], 'damaged index')
        refuses(['join', place / 'set', place / 'none'], 'damaged index')
    refuses(['check', place / 'plain'], 'no index')
    refuses(['check', place / 'nothing there'], 'does not exist')


def sets_of_jobs_that_ended_too_early(place):
    fresh_set(place)
    lines = (place / 'set').read_text().splitlines()
    (place / 'early').write_text('\n'.join(['muster subfiles 1'] + lines[1:5]) + '\n')
    for piece in pieces_of(place, 'set'):
        piece.rename(place / piece.name.replace('set', 'early', 1))
    refuses(['join', place / 'early', place / 'none'], 'never closed')
    succeeds('join', place / 'early', place / 'rescued', '--as-found')
    assert (place / 'rescued').read_bytes() == contents(100_000)


def nothing_is_overwritten_by_mistake(place):
    pieces = fresh_set(place)
    refuses(['join', place / 'set', place / 'set', '--force'], 'itself')
    refuses(['join', place / 'set', pieces[0], '--force'], 'is a piece')
    refuses(['split', place / 'plain', place / 'plain', '--force'], 'itself')
    refuses(['split', place / 'set', place / 'other'], 'already')
    (place / 'precious').write_text('precious')
    refuses(['join', place / 'set', place / 'precious'], 'exists')
    refuses(['split', place / 'plain', place / 'precious'], 'exists')
    assert (place / 'precious').read_text() == 'precious'
    succeeds('check', place / 'set')
    refuses(['split', place / 'plain', place / 'nowhere' / 'set'])
    refuses(['join', place / 'set', place / 'nowhere' / 'file'])


def two_sets_share_a_directory(place):
    local = place / 'local'
    local.mkdir()
    for name, size in (('one', 50_000), ('two', 70_000)):
        (place / name).write_bytes(contents(size))
        succeeds('split', place / name, place / (name + '.set'), '--directory', os.path.relpath(local), '--unit', UNIT)
    assert len(list(local.iterdir())) == 8
    os.chdir('/')
    for name, size in (('one', 50_000), ('two', 70_000)):
        succeeds('join', place / (name + '.set'), place / (name + '.whole'))
        assert (place / (name + '.whole')).read_bytes() == contents(size)


with tempfile.TemporaryDirectory() as name:
    for test in (every_size_comes_back, holes_stay_holes, what_is_wrong_is_named, sets_of_jobs_that_ended_too_early,
                 nothing_is_overwritten_by_mistake, two_sets_share_a_directory):
        place = pathlib.Path(name) / test.__name__
        place.mkdir()
        test(place)

# The worked examples of the papers on placement.
examples = succeeds('placement', '--examples')
for words in ('9 19 24', '11 17 24', '8 24 20', '12 24 16', '32 16 20', '32 20 16', '0, 2, 4 53', '2, 0, 3 43', '40',
              '0 0.593 0.603 3.133', '1 0.470 0.480 2.733', '2 0.742 0.752 3.633', '3 0.503 0.513 2.833', 'best: rank 1 in HBM',
              'as described HBM', '32 MB of HBM, too DRAM', '32 MB of DRAM, too NVR'):
    assert words in ' '.join(examples.split()), (words, examples)
