"""A DataLoader whose workers fork, after CUDA is in use."""
import torch


class Squares(torch.utils.data.Dataset):
    def __len__(self):
        return 256

    def __getitem__(self, i):
        return torch.full((32,), float(i * i % 97))


if __name__ == "__main__":
    scale = torch.ones(32, device="cuda") * 3
    total = torch.zeros((), device="cuda", dtype=torch.float64)
    for batch in torch.utils.data.DataLoader(Squares(), batch_size=16, num_workers=2, pin_memory=True):
        total += (batch.to("cuda", non_blocking=True) * scale).sum(dtype=torch.float64)
    print(total.item())
