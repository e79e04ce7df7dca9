from annotations.material.video_list import VideoFilter, count_videos, list_videos, videos_version


def test_videos_that_are_near_another_one_are_listed(workspace, add_question):
    for name in ("a.mp4", "b.mp4", "c.mp4"):
        add_question(f"count/{name}", video=name)
    with workspace.store.read() as database:
        ids = [row.id for row in list_videos(database, VideoFilter(), 0, 9)]
        wanted = VideoFilter(duplicates="near", near=(ids[0], ids[2]))
        assert [row.name for row in list_videos(database, wanted, 0, 9)] == ["a.mp4", "c.mp4"]
        assert count_videos(database, VideoFilter(duplicates="near")) == 0
        before = videos_version(database)
    add_question("count/d", video="d.mp4")
    with workspace.store.read() as database:
        assert videos_version(database) != before
