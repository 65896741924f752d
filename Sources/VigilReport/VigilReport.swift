import VigilModel
