Feature: Versions of the API group resource.k8s.io
  The DRA page names v1beta1 and writes half of its examples in v1beta2, whose objects have a different shape.
  These cases assume that the API server serves both versions.

  Rule: Shape of requests in v1beta2

    @case:claim-updated-across-versions
    @DRA/api-version/v1beta2-request-shape
    Scenario: A ResourceClaim stored in v1beta1 can be updated in v1beta2
      Given the object
        """
        apiVersion: resource.k8s.io/v1beta1
        kind: ResourceClaim
        metadata: {name: cat, namespace: default}
        spec:
          devices:
            requests:
              - {name: req-0, deviceClassName: resource.example.com, allocationMode: ExactCount, count: 2}
        """
      When it is updated to this object
        """
        apiVersion: resource.k8s.io/v1beta2
        kind: ResourceClaim
        metadata: {name: cat, namespace: default, labels: {color: black}}
        spec:
          devices:
            requests:
              - name: req-0
                exactly: {deviceClassName: resource.example.com, allocationMode: ExactCount, count: 2}
        """
      Then it is stored as it was written
